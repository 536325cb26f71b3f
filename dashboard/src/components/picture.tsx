import { IconPhotoOff } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';

/** An image that falls back to an icon when it can't be loaded. */
export function Picture({ alt, ...props }: Omit<ComponentProps<'img'>, 'onError'> & { alt: string }) {
  const [broken, setBroken] = useState<string | undefined>();
  if (broken !== undefined && broken === props.src)
    return <IconPhotoOff size={32} stroke={1.2} role="img" aria-label={alt || 'Image unavailable'} />;
  return <img {...props} alt={alt} onError={() => setBroken(props.src)} />;
}
