import { Anchor, type AnchorProps, Text } from '@mantine/core';
import type { PropsWithChildren } from 'react';

/** A link to another site, in a new tab. An address that does not lead to the web is shown without a link. */
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

/** Anyone can run a server, and what it says ends up in links: any other scheme could run a script (`javascript:`). */
const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '');
