import type { WorkspaceUser } from '@crier/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useBrand } from './brand.ts';
import { workspaceQuery } from './workspace.ts';

type Colour = NonNullable<WorkspaceUser['colour']>;
export interface Brand {
  id: string;
  name: string;
  colour: Colour;
  avatarPath?: string | undefined;
}

export const brandColours: readonly Colour[] = [
  'teal',
  'orange',
  'violet',
  'cyan',
  'pink',
  'lime',
  'indigo',
  'yellow',
  'grape',
];

/** Until the owner chooses a colour, brands get different ones in the order in which they were added. */
export const brandsIn = (users: readonly WorkspaceUser[]): Brand[] =>
  users.map(({ _id: id, displayName: name, colour, avatarPath }, index) => ({
    id,
    name,
    avatarPath,
    colour: colour ?? brandColours[index % brandColours.length]!,
  }));

/** The brands of the person's workspace. Undefined until they are known, and empty without a workspace. */
export function useBrands(): Brand[] | undefined {
  const { data } = useQuery(workspaceQuery);
  return useMemo(() => (data === undefined ? undefined : brandsIn(data ?? [])), [data]);
}

/** The brand whose page this is. Null on pages of the person's own account and of all brands. */
export function usePageBrand(): Brand | null {
  const current = useBrand();
  const brands = useBrands();
  return useMemo(() => brands?.find(({ id }) => id === current) ?? null, [brands, current]);
}

/** Finds the brand of something in a list of all brands. Null for the person's own things, and in other lists. */
export type BrandOf = (thing: { userId?: string | undefined }) => Brand | null;

export function useBrandOf(): BrandOf {
  const brands = useBrands();
  return useMemo(() => {
    const byId = new Map(brands?.map((brand) => [brand.id, brand]));
    return ({ userId }) => byId.get(userId ?? '') ?? null;
  }, [brands]);
}
