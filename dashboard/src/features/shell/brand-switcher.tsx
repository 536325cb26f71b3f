import { Group, Select, Skeleton, Text } from '@mantine/core';
import { IconCheck, IconPlus, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BrandDot } from '../../components/brands/brand-name.tsx';
import { allBrands, brandOfPage } from '../../lib/brands/brand.ts';
import { type Brand as BrandOfOwner, useBrands } from '../../lib/brands/use-brands.ts';
import { workspaceQuery } from '../../lib/brands/workspace.ts';
import { profileQuery } from '../../lib/queries.ts';

const own = 'own';
const add = 'add';

/** Whose posts and channels the pages show. Only for owners of a workspace. */
export function BrandSwitcher({ otherwise }: { otherwise: ReactNode }) {
  const brands = useBrands();
  const { error } = useQuery(workspaceQuery);
  const { data: profile } = useQuery(profileQuery);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const mayAdd = profile?.hasWorkspace || profile?.canSetUpWorkspace;
  const isChosen = 'brand' in search && search.brand !== undefined;
  // Only owners have brands in their addresses.
  if (!brands && isChosen && !error) return <Skeleton height={36} maw={200} />;
  if (!brands || !mayAdd) return otherwise;
  const options = [
    ...(brands.length > 0 ? [{ value: allBrands, label: 'All brands' }] : []),
    { value: own, label: profile?.name || 'My account' },
    ...brands.map(({ id, name }) => ({ value: id, label: name })),
    { value: add, label: 'Add brand' },
  ];
  const isLong = brands.length > 8;
  const chosen = (search as { brand?: string }).brand ?? own;
  const choose = (value: string | null) => {
    if (value === add) return void navigate({ to: '/workspace', search: { add: 'brand' } });
    const brand = value === own || value === null ? undefined : value;
    // A post, draft or filter of one brand means nothing to another.
    void navigate({ to: listOf(pathname), search: { brand } });
  };
  return (
    <Select
      aria-label="Brand"
      data={options}
      value={options.some(({ value }) => value === chosen) ? chosen : own}
      onChange={choose}
      allowDeselect={false}
      searchable={isLong}
      onClick={({ currentTarget }) => isLong && currentTarget.select()}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      nothingFoundMessage="No matching brands"
      maxDropdownHeight={420}
      maw={200}
      leftSection={<BrandIcon value={chosen} brands={brands} />}
      renderOption={({ option, checked }) => (
        <Group gap="xs" wrap="nowrap" miw={0} flex={1}>
          <Group w={18} justify="center" flex="none">
            <BrandIcon value={option.value} brands={brands} />
          </Group>
          <Text size="sm" truncate miw={0} flex={1}>
            <bdi>{option.label}</bdi>
          </Text>
          {checked && <IconCheck size={14} style={{ flex: 'none' }} aria-hidden />}
        </Group>
      )}
    />
  );
}

function BrandIcon({ value, brands }: { value: string; brands: readonly BrandOfOwner[] }) {
  if (value === allBrands) return <IconUsersGroup size={16} aria-hidden />;
  if (value === own) return <IconUser size={16} aria-hidden />;
  if (value === add) return <IconPlus size={16} aria-hidden />;
  const brand = brands.find(({ id }) => id === value);
  return brand && <BrandDot brand={brand} size={12} />;
}

/** The page for another brand: the same list, or the calendar from pages that belong to no brand. */
function listOf(pathname: string) {
  const pages = ['/queue', '/posts', '/channels', '/media', '/insights'] as const;
  if (brandOfPage(pathname, { brand: allBrands }) === null) return '/calendar';
  if (pathname.startsWith('/compose')) return '/compose';
  return pages.find((page) => pathname.startsWith(page)) ?? '/calendar';
}
