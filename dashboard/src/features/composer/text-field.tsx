import { ActionIcon, Group, Textarea, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import classes from './composer.module.css';
import { EmojiButton } from './emoji-button.tsx';

/** A text of the post that grows with its content, with emoji, undo and redo. */
export function TextField({
  label,
  value,
  placeholder,
  onChange,
  onUndo,
  onRedo,
  canUndo,
  canRedo,
  tools,
  autoFocus,
}: {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (text: string) => void;
  onUndo: () => void;
  onRedo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  tools?: (insert: (text: string) => void) => ReactNode;
  autoFocus?: boolean;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (text: string) => {
    const { selectionStart: from = value.length, selectionEnd: to = value.length } = field.current ?? {};
    onChange(value.slice(0, from) + text + value.slice(to));
    // After React has written the new text.
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
        autosize
        minRows={4}
        attributes={{ input: { dir: 'auto' } }}
        data-autofocus={autoFocus || undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap={4} mt="xs">
        <EmojiButton onPick={insert} />
        {tools?.(insert)}
        <Tool label="Undo" icon={<IconArrowBackUp size={18} aria-hidden />} isOff={!canUndo} onClick={onUndo} />
        <Tool label="Redo" icon={<IconArrowForwardUp size={18} aria-hidden />} isOff={!canRedo} onClick={onRedo} />
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
