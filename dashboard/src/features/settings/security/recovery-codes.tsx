import { Button, CopyButton, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { saveFile } from '../../../lib/files/save-file.ts';
import { Notice } from '../notice.tsx';
import classes from '../settings.module.css';

/** Recovery codes for a lost authenticator app, shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Notice isWarning title="Keep these codes in a safe place">
        You won’t see them again. Each code signs you in once if you lose your authenticator app.
      </Notice>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile('crier-recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}
        >
          Download
        </Button>
        <Button ml="auto" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
