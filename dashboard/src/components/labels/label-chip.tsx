import type { Label } from '@crier/client';
import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { labelsQuery } from '../../lib/queries.ts';
import { tintOf } from '../tint.ts';

/** A label in its colour. */
export const LabelChip = ({ name, colour }: Label) => (
  <Badge component="span" size="sm" radius="sm" fw={500} maw={180} {...tintOf(colour)}>
    <bdi>{name}</bdi>
  </Badge>
);

/** The labels of a post. `userId`: whose post it is, in a list of all brands. */
export function LabelChips({
  labels = [],
  userId,
}: {
  labels?: readonly string[] | undefined;
  userId?: string | undefined;
}) {
  const colourOf = useLabelColours();
  if (labels.length === 0) return null;
  return (
    <Group component="span" display="inline-flex" gap={4}>
      {labels.map((name) => (
        <LabelChip key={name} name={name} colour={colourOf(name, userId)} />
      ))}
    </Group>
  );
}

/** A label gets its colour when a post with it is saved. */
export function useLabelColours(): (name: string, userId?: string) => Label['colour'] {
  const { data } = useQuery(labelsQuery);
  return useMemo(() => {
    // The same label may have another colour in another brand.
    const keyOf = (name: string, userId = '') => `${userId} ${name}`;
    const colours = new Map(data?.map(({ name, colour, userId }) => [keyOf(name, userId), colour]));
    return (name, userId) => colours.get(keyOf(name, userId)) ?? 'gray';
  }, [data]);
}
