import { Avatar } from '@mantine/core';
import type { Brand } from '../../lib/brands/use-brands.ts';
import classes from '../channels/avatar.module.css';

/** The picture of a brand, ringed in its colour, or its initials in the colour. */
export const BrandAvatar = ({ brand, size = 38 }: { brand: Brand; size?: number }) => (
  <Avatar
    src={brand.avatarPath ?? null}
    name={brand.name}
    size={size}
    alt=""
    aria-hidden
    color={brand.colour}
    {...(brand.avatarPath && { style: { border: `2px solid var(--mantine-color-${brand.colour}-filled)` } })}
    classNames={{ root: classes.root, placeholder: classes.initials }}
  />
);
