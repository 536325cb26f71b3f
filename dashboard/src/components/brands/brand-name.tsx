import { Avatar, ColorSwatch, Group } from '@mantine/core';
import type { Brand } from '../../lib/brands/use-brands.ts';

/** The picture of a brand, ringed in its colour, or only the colour. Its name is always next to it. */
export const BrandDot = ({ brand, size = 10 }: { brand: Brand; size?: number }) => {
  const colour = `var(--mantine-color-${brand.colour}-filled)`;
  return brand.avatarPath ? (
    // A picture needs more room than a dot.
    <Avatar
      component="span"
      src={brand.avatarPath}
      size={size + 6}
      alt=""
      flex="none"
      style={{ border: `2px solid ${colour}` }}
    />
  ) : (
    <ColorSwatch size={size} color={colour} withShadow={false} flex="none" aria-hidden />
  );
};

/** The brand of something in a list of all brands. */
export const BrandName = ({ brand }: { brand: Brand }) => (
  <Group component="span" display="inline-flex" gap={brand.avatarPath ? 6 : 4} wrap="nowrap" miw={0} maw="100%">
    <BrandDot brand={brand} size={8} />
    <bdi style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{brand.name}</bdi>
  </Group>
);
