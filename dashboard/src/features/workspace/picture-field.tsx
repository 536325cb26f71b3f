import { Button, FileButton, Group, Input } from '@mantine/core';
import { useState } from 'react';
import { BrandAvatar } from '../../components/brands/brand-avatar.tsx';
import type { Brand } from '../../lib/brands/use-brands.ts';
import { smallPicture } from './small-picture.ts';

/** What saving does to the picture of a brand. */
export type Picture = 'same' | 'none' | { url: string; base64: string };

/** The picture of a brand. It is stored when the dialog is saved. */
export function PictureField({
  brand,
  picture,
  onChange,
}: {
  brand: Brand;
  picture: Picture;
  onChange: (picture: Picture) => void;
}) {
  const [isRefused, setRefused] = useState(false);
  const choose = async (file: File | null) => {
    if (!file) return;
    const small = await smallPicture(file).catch(() => null);
    setRefused(small === null);
    if (small) onChange(small);
  };
  const avatarPath = picture === 'same' ? brand.avatarPath : picture === 'none' ? undefined : picture.url;
  return (
    <Input.Wrapper
      label="Picture"
      description="Shown next to the brand’s name, cropped to a square."
      error={isRefused && 'This file can’t be read as a picture. Choose a JPEG, PNG, GIF or WebP.'}
      component="div"
    >
      <Group gap="sm" mt={6}>
        <BrandAvatar brand={{ ...brand, avatarPath }} size={56} />
        <FileButton accept="image/*" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default">
              {avatarPath ? 'Change picture' : 'Choose picture'}
            </Button>
          )}
        </FileButton>
        {avatarPath && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange('none')}>
            Remove picture
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
