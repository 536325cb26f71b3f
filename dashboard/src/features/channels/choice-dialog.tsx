import { Button, Checkbox, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { platformName } from '../../lib/platform-name.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { choiceQuery, reconnectedChannel } from './connect.ts';

/** One consent can grant access to several accounts. The user chooses which to connect. */
export function ChoiceDialog({
  choiceId,
  onClose,
  onConnected,
}: {
  choiceId: string;
  onClose: () => void;
  onConnected: (platformIds: string[]) => void;
}) {
  const { data: choice, error } = useQuery(choiceQuery(choiceId));
  const [picked, setChosen] = useState<string[] | null>(null);
  // The account that should work again is selected already.
  const wanted = reconnectedChannel();
  const chosen =
    picked ??
    (choice?.accounts ?? []).flatMap(({ accountId }) =>
      `${choice?.platform}-${accountId}` === wanted ? [accountId] : [],
    );
  const choosing = useMutation({
    mutationFn: () => crier.chooseAccounts({ choiceId, accountIds: chosen }),
    onSuccess: ({ connected }) => onConnected(connected.map(({ platformId }) => platformId)),
  });
  const title = choice ? `Choose accounts on ${platformName(choice.platform)}` : 'Choose accounts';
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <Stack>
        {(error ?? choosing.error) && <ErrorState error={error ?? choosing.error} />}
        {!choice && !error && <Skeleton height={120} />}
        {choice && (
          <>
            <Text size="sm" c="dimmed">
              You granted access to {count(choice.accounts.length, 'account')}. Choose which to connect.
            </Text>
            <Checkbox.Group label="Accounts" value={chosen} onChange={setChosen}>
              <Stack gap="sm" mt="xs">
                {choice.accounts.map(({ accountId, handle, displayName }, index) => (
                  <Checkbox
                    key={accountId}
                    value={accountId}
                    data-autofocus={index === 0 ? true : undefined}
                    label={displayName || handle}
                    description={handle && handle !== displayName ? handle : undefined}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button disabled={chosen.length === 0} loading={choosing.isPending} onClick={() => choosing.mutate()}>
                {chosen.length === 0 ? 'Connect' : `Connect ${count(chosen.length, 'account')}`}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}
