import type { ReactNode, SVGProps } from 'react';
import { networkColour } from '../../lib/network-colours.ts';
import { isKnownPlatform, type KnownPlatform } from '../../lib/platform-name.ts';

/** Simple and bold, so that they are recognised at 12 pixels. */
const glyphs: Record<KnownPlatform, ReactNode> = {
  bluesky: (
    <path
      fill="#fff"
      stroke="none"
      d="M7.6 6.2c1.8 1.3 3.7 4 4.4 5.5.7-1.5 2.6-4.2 4.4-5.5 1.3-1 3.4-1.7 3.4.7 0 .5-.3 4-.4 4.6-.6 2-2.5 2.4-4.2 2.1 3 .5 3.8 2.2 2.1 3.9-3.1 3.2-4.5-.8-4.9-1.8-.2-.5-.5-.5-.8 0-.4 1-1.8 5-4.9 1.8-1.7-1.7-.9-3.4 2.1-3.9-1.7.3-3.6-.1-4.2-2.1C4.5 10.9 4.2 7.4 4.2 6.9c0-2.4 2.1-1.7 3.4-.7z"
    />
  ),
  facebook: <path d="M16 5.5h-1.5c-2 0-3 1.1-3 3V21M8.5 12.5h6.5" />,
  instagram: (
    <>
      <rect x="5.5" y="5.5" width="13" height="13" rx="4" />
      <circle cx="12" cy="12" r="2.8" />
      <path d="M15.7 8.3v.01" />
    </>
  ),
  linkedin: <path d="M7.5 11v6M7.5 7v.01M11.5 17v-6M11.5 14c0-3.6 5-3.9 5-.4V17" />,
  mastodon: <path d="M6.5 17v-6.5c0-4.6 5.5-4.6 5.5-.2V13v-2.7c0-4.4 5.5-4.4 5.5.2V17" />,
  pinterest: <path d="M9.5 20l2.5-9.5M8.3 12.8C5 7.2 17.2 3.8 17.2 10c0 5-5.2 6.2-6.2 3.5" />,
  telegram: (
    <path
      fill="#fff"
      stroke="none"
      d="M4.5 11.7 19.2 6c.7-.3 1.3.2 1.1 1l-2.5 11c-.2.8-.9 1-1.6.5l-3.6-2.7-1.8 1.8c-.4.4-1 .2-1.1-.4l-.6-3 6.3-5.7-7.8 4.9-3-1c-.8-.2-.8-.5-.1-.7z"
    />
  ),
  threads: (
    <path d="M17 8.5C16.2 6.3 14.5 5 12 5c-3.5 0-5.5 2.5-5.5 7s2 7 5.5 7c3 0 5-1.6 5-3.8 0-2.6-2.3-3.5-4.6-3.5-2 0-3.1.9-3.1 2.1 0 1.1.9 1.9 2.2 1.9 1.9 0 2.8-1.3 2.8-3.5 0-2-.9-3-2.6-3" />
  ),
  tiktok: <path d="M12.8 5v9.7c0 4.4-6 4-6 .2 0-2 1.5-3 3-2.9M12.8 5c.3 2.5 1.9 3.9 4.2 4.1" />,
  twitter: <path d="M6.5 6l11 12M17.5 6l-11 12" />,
  youtube: <path fill="#fff" d="M9.5 8l7 4-7 4z" />,
};

const world = <path d="M12 5.5v13M5.5 12h13M12 5.5a6.5 6.5 0 1 0 .01 0" />;

/** The network's icon, in its colour. Decorative: the name is always next to it or in a label. */
export function PlatformIcon({
  platform,
  size = 18,
  ...props
}: { platform: string; size?: number } & SVGProps<SVGSVGElement>) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="#fff"
      strokeWidth={2.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      {...props}
    >
      <rect width="24" height="24" rx="6.5" stroke="none" style={{ fill: networkColour(platform) }} />
      {isKnownPlatform(platform) ? glyphs[platform] : world}
    </svg>
  );
}
