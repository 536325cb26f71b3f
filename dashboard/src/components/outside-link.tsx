import { Anchor, type AnchorProps, Text } from '@mantine/core';
import type { PropsWithChildren } from 'react';

/** A link to another site, in a new tab. Anything but http(s) is shown as plain text. */
export function OutsideLink({ href, children, ...props }: PropsWithChildren<AnchorProps & { href: string }>) {
  if (!isWebAddress(href)) {
    return (
      <Text span size={props.size}>
        {children}
      </Text>
    );
  }
  return (
    <Anchor {...props} href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </Anchor>
  );
}

/** Anyone can run a server whose responses end up in links, and other schemes can run scripts (`javascript:`). */
const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '');
