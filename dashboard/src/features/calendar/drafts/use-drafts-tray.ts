import { useLocalStorage } from '@mantine/hooks';

/** Whether the tray is open, on this device. */
export const useDraftsTray = () =>
  useLocalStorage({ key: 'crier-calendar-drafts', defaultValue: false, getInitialValueInEffect: false });
