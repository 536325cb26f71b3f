import { Anchor, type AnchorProps, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type LinkElement = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>;

/** Leads to the list that a page belongs to, above its heading. */
export const BackLink = createLink(({ children, ...props }: AnchorProps & LinkElement) => (
  <Anchor size="sm" {...props}>
    <Group component="span" gap={4} display="inline-flex">
      <IconArrowLeft size={14} aria-hidden /> {children}
    </Group>
  </Anchor>
));
