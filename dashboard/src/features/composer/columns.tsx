import { UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import classes from './composer.module.css';

const tabs = [
  { id: 'write', label: 'Write' },
  { id: 'preview', label: 'Preview' },
] as const;
type Tab = (typeof tabs)[number]['id'];

/** Two columns, or two tabs on narrow screens. Both stay mounted, so that rotating a phone loses nothing. */
export function Columns({ write, preview }: { write: ReactNode; preview: ReactNode }) {
  const isNarrow = useMediaQuery('(width < 62em)', undefined, { getInitialValueInEffect: false });
  const [shown, setShown] = useState<Tab>('write');
  const panel = (tab: Tab) =>
    isNarrow
      ? { role: 'tabpanel', id: `composer-${tab}`, 'aria-labelledby': `composer-tab-${tab}`, hidden: shown !== tab }
      : { id: `composer-${tab}` };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const other = shown === 'write' ? 'preview' : 'write';
    setShown(other);
    document.getElementById(`composer-tab-${other}`)?.focus();
  };
  return (
    <>
      {isNarrow && (
        <div role="tablist" aria-label="Composer" className={classes.tabs}>
          {tabs.map(({ id, label }) => (
            <UnstyledButton
              key={id}
              role="tab"
              id={`composer-tab-${id}`}
              aria-selected={shown === id}
              aria-controls={`composer-${id}`}
              tabIndex={shown === id ? 0 : -1}
              className={classes.tab}
              onClick={() => setShown(id)}
              onKeyDown={onKeyDown}
            >
              {label}
            </UnstyledButton>
          ))}
        </div>
      )}
      <div className={classes.layout}>
        <div {...panel('write')}>{write}</div>
        <div {...panel('preview')} className={classes.side}>
          {preview}
        </div>
      </div>
    </>
  );
}
