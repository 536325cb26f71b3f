import type { ApiKey, Scope } from '@crier/client';
import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { AnchorLink } from '../../../components/links.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';

/** Revokes a key after confirmation. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: async () => apiKey && crier.revokeApiKey({ keyId: apiKey._id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.keys });
      notifications.show({ message: 'Key revoked.', withBorder: true });
      onClose();
    },
  });
  return (
    <ConfirmDialog title="Revoke this key?" confirm="Revoke" opened={apiKey !== null} action={revoke} onClose={onClose}>
      <Text size="sm" dir="auto">
        “{apiKey?.application ?? apiKey?.name}” loses access immediately. This can’t be undone.
      </Text>
      {apiKey && <Remains scopes={apiKey.scopes} />}
    </ConfirmDialog>
  );
}

/** What a key with these scopes may have created. Revoking the key doesn't end it. */
function Remains({ scopes }: Pick<ApiKey, 'scopes'>) {
  const has = (scope: Scope) => scopes.includes(scope);
  if (!has('write') && !has('webhooks') && !has('workspace')) return null;
  return (
    <>
      <Text size="sm">What the key created stays. If someone else had the key, check:</Text>
      <List size="sm">
        {has('write') && (
          <List.Item>
            <AnchorLink inherit to="/posts">
              Posts
            </AnchorLink>
            : scheduled posts still go out
          </List.Item>
        )}
        {has('webhooks') && (
          <List.Item>
            <AnchorLink inherit to="/developers/webhooks">
              Webhooks
            </AnchorLink>{' '}
            still receive events
          </List.Item>
        )}
        {has('workspace') && (
          <List.Item>
            <AnchorLink inherit to="/workspace">
              Workspace
            </AnchorLink>
            : keys, connection links and webhooks of users still work
          </List.Item>
        )}
      </List>
      {(has('webhooks') || has('workspace')) && (
        <Text size="sm">
          The audit log in <AnchorLink to="/settings/security">Security</AnchorLink> shows which webhooks, users, keys
          and connection links were created with a key. It doesn’t list posts.
        </Text>
      )}
    </>
  );
}
