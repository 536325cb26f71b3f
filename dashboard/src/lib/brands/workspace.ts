import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { crier } from '../api.ts';
import { profileQuery } from '../queries.ts';
import { keys } from '../query-keys.ts';

/** The managed users; null if this account has no workspace. */
export const workspaceQuery = queryOptions({
  queryKey: keys.workspace,
  queryFn: async ({ client, signal }) => {
    const { hasWorkspace } = await client.fetchQuery(profileQuery);
    return hasWorkspace ? (await crier.listWorkspaceUsers({}, { signal })).users : null;
  },
});

/** After a change that may have set up the workspace. The profile first: it says whether there are managed users. */
export async function refreshWorkspace(client: QueryClient) {
  for (const { queryKey } of [profileQuery, workspaceQuery]) await client.invalidateQueries({ queryKey });
}
