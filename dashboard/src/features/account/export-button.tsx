import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { downloadExport, type Proof } from './download-export.ts';
import { ProofDialog } from './proof-dialog.tsx';

export function ExportButton({ fullWidth = false }: { fullWidth?: boolean }) {
  const [opened, { open, close }] = useDisclosure();
  const download = async (proof: Proof) => {
    await downloadExport(proof);
    close();
    notifications.show({ message: 'Your data was downloaded.', withBorder: true });
  };
  return (
    <>
      <Button
        variant="default"
        fullWidth={fullWidth}
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={open}
      >
        Export my data
      </Button>
      {opened && (
        <ProofDialog title="Export my data" action="Export" onProof={download} onClose={close}>
          <Text size="sm">
            The download is one JSON file with your posts, channels, drafts, settings and logs, and those of your
            brands. It has no passwords or keys, and no media files. Large accounts take a few minutes.
          </Text>
        </ProofDialog>
      )}
    </>
  );
}
