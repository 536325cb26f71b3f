import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type LinkElement = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps | keyof AnchorProps>;

/** Links to pages of the dashboard, with checked addresses, that look like Mantine's components. */
export const AnchorLink = createLink((props: AnchorProps & LinkElement) => <Anchor {...props} />);
export const ButtonLink = createLink((props: ButtonProps & LinkElement) => <Button component="a" {...props} />);
