import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { At } from '../../../components/when.tsx';
import { crier } from '../../../lib/api.ts';

/** Turns storing the bodies of calls on for an hour, or off. */
export function StoreBodies({ until }: { until: string | null }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: async (isOn: boolean) => (isOn ? crier.storeRequestBodies() : crier.stopRequestBodies()),
    onSuccess: () => client.invalidateQueries({ queryKey: ['requests', 'list'] }),
  });
  if (until === null) {
    return (
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate(true)}>
        Store bodies for one hour
      </Button>
    );
  }
  return (
    <>
      <Text size="sm">
        Storing bodies until <At at={until} />
      </Text>
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate(false)}>
        Stop now
      </Button>
    </>
  );
}
