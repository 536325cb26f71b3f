import { ActionIcon, Button, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A value to copy: a key, an address, a command. With several on one page, `label` says which one the button copies. */
export function CopyValue({ value, label = 'Copy', name }: { value: string; label?: string; name?: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code
        block
        flex={1}
        miw={0}
        // A single line has the height of the button.
        py={8.7}
        dir="ltr"
        tabIndex={0}
        role="group"
        aria-label={name ?? 'Value to copy'}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            flex="none"
            size="sm"
            px="sm"
            variant={copied ? 'filled' : 'light'}
            onClick={copy}
            aria-label={label}
            leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}

/** A small copy button for a value that is shown truncated. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={label}>
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
