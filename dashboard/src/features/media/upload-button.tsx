import { Button, type ButtonVariant, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';

/** Stores files in the library, without a post. */
export const UploadButton = ({
  onFiles,
  variant,
}: {
  onFiles: (files: readonly File[]) => void;
  variant?: ButtonVariant;
}) => (
  <FileButton multiple accept="image/*,.heic,.heif,video/*,application/pdf" onChange={onFiles}>
    {(props) => (
      <Button {...props} variant={variant} leftSection={<IconUpload size={18} aria-hidden />}>
        Upload
      </Button>
    )}
  </FileButton>
);
