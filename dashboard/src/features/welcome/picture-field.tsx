import { Button, FileButton, Group, Image, Input } from '@mantine/core';
import { useEffect, useState } from 'react';
import { reasonOf } from '../../components/notify.tsx';
import { prepareFile } from '../../lib/files/prepare-file.ts';
import { samplePicture } from './sample-picture.ts';

/** The picture of the first post. Some networks publish none without one. */
export function PictureField({
  about,
  picture,
  onChange,
}: {
  about: string;
  picture: File | null;
  onChange: (picture: File | null) => void;
}) {
  const [error, setError] = useState<string | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!picture) return setUrl(null);
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  const take = async (from: () => Promise<File>) => {
    setError(null);
    try {
      onChange(await from());
    } catch (problem) {
      setError(reasonOf(problem));
    }
  };
  return (
    <Input.Wrapper label="Picture" description={about} error={error} component="div">
      <Group gap="sm" mt={6}>
        {url && <Image src={url} alt="" w={72} h={72} radius="sm" fit="cover" />}
        {!picture && (
          <Button size="xs" variant="default" onClick={() => void take(samplePicture)}>
            Use a sample picture
          </Button>
        )}
        <FileButton accept="image/*" onChange={(file) => file && void take(() => prepareFile(file))}>
          {(props) => (
            <Button {...props} size="xs" variant="default">
              {picture ? 'Choose another picture' : 'Choose a picture'}
            </Button>
          )}
        </FileButton>
        {picture && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(null)}>
            Remove picture
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
