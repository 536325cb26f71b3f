import type { Connection } from '@crier/client';
import { useQuery } from '@tanstack/react-query';
import { allBrands, useBrand } from '../../lib/brands/brand.ts';
import { useBrandOf } from '../../lib/brands/use-brands.ts';
import { profileQuery } from '../../lib/queries.ts';
import { byNetwork, type ChannelGroup } from './by-network.ts';

export interface ChannelBrands {
  nameOf(channel: Connection): string;
  /** By brand, then by network. */
  group(channels: readonly Connection[]): ChannelGroup[];
}

/** Whose the channels are in a list of all brands, where accounts of several owners look alike. Null elsewhere: one owner's. */
export function useChannelBrands(): ChannelBrands | null {
  const { data: profile } = useQuery(profileQuery);
  const brandOf = useBrandOf();
  if (useBrand() !== allBrands) return null;
  const nameOf = (channel: Connection) => brandOf(channel)?.name ?? (profile?.name || 'My account');
  return {
    nameOf,
    group: (channels) =>
      // Brands may have the same name.
      [...Map.groupBy(channels, ({ userId }) => userId).values()].map((ofBrand) => ({
        name: nameOf(ofBrand[0]!),
        channels: byNetwork(ofBrand).flatMap((group) => group.channels),
      })),
  };
}
