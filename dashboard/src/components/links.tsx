import { Anchor, type AnchorProps, Button, type ButtonProps, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, PropsWithChildren } from 'react';

type LinkElement = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps | keyof AnchorProps>;

/** Links to pages of the dashboard, with checked addresses, that look like Mantine's components. */
export const AnchorLink = createLink((props: AnchorProps & LinkElement) => <Anchor {...props} />);
export const ButtonLink = createLink((props: ButtonProps & LinkElement) => <Button component="a" {...props} />);

/** Links to the parent list, above a page's heading. */
export const BackLink = createLink(({ children, ...props }: AnchorProps & LinkElement & PropsWithChildren) => (
  <Anchor size="sm" {...props}>
    <Group component="span" gap={4} display="inline-flex">
      <IconArrowLeft size={14} aria-hidden /> {children}
    </Group>
  </Anchor>
));
