import { ActionIcon, Group, Textarea, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useRef } from 'react';
import { CutMarks } from './cut-marks.tsx';
import { EmojiButton } from './emoji-button.tsx';
import classes from './text.module.css';

/** Measuring a long text on each keystroke is slow. Most browsers grow the field natively. */
const canGrow = CSS.supports('field-sizing', 'content');

/** A growing text field with emoji, undo and redo. */
export function TextField({
  label,
  value,
  placeholder,
  parts,
  onChange,
  onFocus,
  onUndo,
  onRedo,
  canUndo,
  canRedo,
  tools,
  more,
}: {
  label: string;
  value: string;
  placeholder?: string | undefined;
  /** The parts of a thread, otherwise empty. */
  parts: readonly string[];
  onChange: (text: string) => void;
  onFocus: () => void;
  onUndo: () => void;
  onRedo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  tools?: (insert: (text: string) => void) => ReactNode;
  /** Tools unrelated to the text. */
  more?: ReactNode;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const seen = useDeferredValue(value);
  const insert = (text: string) => {
    const { selectionStart: from = value.length, selectionEnd: to = value.length } = field.current ?? {};
    onChange(value.slice(0, from) + text + value.slice(to));
    // After React has rendered the new text.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + text.length, from + text.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
    if (!isRedo && key !== 'z') return;
    event.preventDefault();
    if (isRedo) onRedo();
    else onUndo();
  };
  return (
    <div className={classes.text}>
      <Textarea
        ref={field}
        label={label}
        value={value}
        placeholder={placeholder}
        autosize={!canGrow}
        minRows={3}
        attributes={{ input: { dir: 'auto' } }}
        inputContainer={(input) => (
          <div className={classes.cuttable} data-cut={parts.length > 1 || undefined}>
            {parts.length > 1 && <CutMarks text={seen} parts={parts} />}
            {input}
          </div>
        )}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      />
      <Group gap={4} mt="xs" className={classes.tools}>
        <EmojiButton onPick={insert} />
        {tools?.(insert)}
        <Tool label="Undo" icon={<IconArrowBackUp size={18} aria-hidden />} isOff={!canUndo} onClick={onUndo} />
        <Tool label="Redo" icon={<IconArrowForwardUp size={18} aria-hidden />} isOff={!canRedo} onClick={onRedo} />
        {more}
      </Group>
    </div>
  );
}

function Tool({
  label,
  icon,
  isOff,
  onClick,
}: {
  label: string;
  icon: ReactNode;
  isOff: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        className={classes.tool}
        color="gray"
        size="lg"
        aria-label={label}
        disabled={isOff}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
