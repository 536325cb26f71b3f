import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { allBrands, useBrand } from '../../lib/brands/brand.ts';
import { useBrands } from '../../lib/brands/use-brands.ts';
import { profileQuery } from '../../lib/queries.ts';
import { PageHeader } from '../page-header.tsx';
import { BrandAvatar } from './brand-avatar.tsx';
import classes from './choose-brand.module.css';

/** For pages that show one brand at a time. With "All brands", they ask for one first. */
export function OfOneBrand({
  page,
  title,
  children,
}: {
  /** The heading of the page. */
  page: string;
  title: string;
  children: ReactNode;
}) {
  if (useBrand() !== allBrands) return children;
  return (
    <>
      <PageHeader title={page} />
      <Stack gap="md" maw={720} mx="auto" py="xl">
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <BrandChoices />
      </Stack>
    </>
  );
}

/** One click for each brand. The page keeps what else is in its address, such as the date of a new post. */
export function BrandChoices() {
  const brands = useBrands() ?? [];
  const { data: profile } = useQuery(profileQuery);
  const searchFor = (brand: string | undefined) => (before: object) => ({ ...before, channel: undefined, brand });
  return (
    <SimpleGrid component="nav" aria-label="Brands" cols={{ base: 1, xs: 2 }} spacing="sm">
      {brands.map((brand) => (
        <ChoiceLink key={brand.id} to="." search={searchFor(brand.id)} replace preload={false}>
          <BrandAvatar brand={brand} />
          <Name>{brand.name}</Name>
        </ChoiceLink>
      ))}
      <ChoiceLink to="." search={searchFor(undefined)} replace preload={false}>
        <IconUser size={38} stroke={1.2} aria-hidden />
        <Name>{profile?.name || 'My account'}</Name>
      </ChoiceLink>
    </SimpleGrid>
  );
}

const Name = ({ children }: { children: string }) => (
  <Text fw={600} truncate miw={0}>
    <bdi>{children}</bdi>
  </Text>
);

// The router adds a class to the link of the current page.
const ChoiceLink = createLink((props: ComponentPropsWithRef<'a'>) => <a {...props} className={classes.choice} />);
