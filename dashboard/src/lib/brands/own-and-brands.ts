import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { crier } from '../api.ts';
import { channelsQuery } from '../queries.ts';
import { keys } from '../query-keys.ts';
import { sessionQuery } from '../session.ts';
import { allBrands, type Scope, useBrand } from './brand.ts';
import { useBrands } from './use-brands.ts';
import { workspaceQuery } from './workspace.ts';

/** What the person sees wherever the page is: the own account and all brands together. */
export async function ownAndBrands(client: QueryClient): Promise<Scope> {
  const [session, users] = await Promise.all([
    client.ensureQueryData(sessionQuery),
    // Without the brands, one's own things are still shown.
    client.ensureQueryData(workspaceQuery).catch(() => null),
  ]);
  return users && users.length > 0 ? { brands: allBrands, userId: session?._id } : {};
}

const allChannelsQuery = queryOptions({
  queryKey: [...keys.attention, 'channels'],
  queryFn: async ({ client, signal }) => {
    const { userId, ...brands } = await ownAndBrands(client);
    return (await crier.listConnections(brands, { signal, userId })).connections;
  },
});

/** The channels of the own account and of all brands. */
export function useAllChannels() {
  const brands = useBrands();
  const brand = useBrand();
  // The page may have them already.
  const isShown = !brands || brands.length === 0 || brand === allBrands;
  const ofPage = useQuery({ ...channelsQuery, enabled: isShown });
  const all = useQuery({ ...allChannelsQuery, enabled: !isShown });
  return isShown ? ofPage : all;
}
