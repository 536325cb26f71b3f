import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** A note. Its title has the text colour, because the colour of the box has too little contrast. */
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
