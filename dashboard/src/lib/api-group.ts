import { useLocalStorage } from '@mantine/hooks';

/** Whether the side bar has the group "API", on this device. Its pages work either way. */
export const useApiGroup = () =>
  useLocalStorage({ key: 'crier-api-group', defaultValue: true, getInitialValueInEffect: false });
