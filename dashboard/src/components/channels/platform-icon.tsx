import {
  type Icon,
  IconBrandBluesky,
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandMastodon,
  IconBrandPinterest,
  IconBrandTelegram,
  IconBrandThreads,
  IconBrandTiktok,
  IconBrandX,
  IconBrandYoutube,
  type IconProps,
  IconWorld,
} from '@tabler/icons-react';
import { isKnownPlatform, type KnownPlatform } from '../../lib/platform-name.ts';

const icons: Record<KnownPlatform, Icon> = {
  bluesky: IconBrandBluesky,
  facebook: IconBrandFacebook,
  instagram: IconBrandInstagram,
  linkedin: IconBrandLinkedin,
  mastodon: IconBrandMastodon,
  pinterest: IconBrandPinterest,
  telegram: IconBrandTelegram,
  threads: IconBrandThreads,
  tiktok: IconBrandTiktok,
  twitter: IconBrandX,
  youtube: IconBrandYoutube,
};

/** The network's icon. Decorative: the name is always next to it or in a label. */
export function PlatformIcon({ platform, size = 18, ...props }: { platform: string } & IconProps) {
  const Icon = isKnownPlatform(platform) ? icons[platform] : IconWorld;
  return <Icon size={size} stroke={1.6} aria-hidden {...props} />;
}
