import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog-buttons.module.css';

/** The buttons at the end of a long dialog. They stay in view on a phone, where the dialog scrolls. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <Group justify="flex-end" gap="sm" className={classes.buttons}>
    {children}
  </Group>
);
