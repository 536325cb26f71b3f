import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Something to know before going on. Its heading has the colour of text, because that of the box is too faint to read. */
export function Notice({
  title,
  isWarning = false,
  children,
}: {
  title: string;
  isWarning?: boolean;
  children: ReactNode;
}) {
  return (
    <Alert
      color={isWarning ? 'yellow' : 'gray'}
      icon={isWarning ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />}
      title={title}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      {children}
    </Alert>
  );
}
