import { Badge, type BadgeProps } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconLoader2,
  IconQuestionMark,
} from '@tabler/icons-react';

const looks: Record<string, { word: string; color: string; icon: Icon }> = {
  draft: { word: 'Draft', color: 'gray', icon: IconCircleDashed },
  scheduled: { word: 'Scheduled', color: 'blue', icon: IconClock },
  pending: { word: 'Waiting', color: 'blue', icon: IconClock },
  publishing: { word: 'Publishing', color: 'indigo', icon: IconLoader2 },
  processing: { word: 'Publishing', color: 'indigo', icon: IconLoader2 },
  published: { word: 'Published', color: 'green', icon: IconCheck },
  posted: { word: 'Published', color: 'green', icon: IconCheck },
  partially_published: { word: 'Partially published', color: 'orange', icon: IconAlertTriangle },
  failed: { word: 'Failed', color: 'red', icon: IconAlertTriangle },
  unknown: { word: 'Unknown', color: 'orange', icon: IconQuestionMark },
};

/** A status as a word with an icon, never colour alone. */
export function StatusBadge({ status, ...props }: { status: string } & Omit<BadgeProps, 'color' | 'children'>) {
  const { word, color, icon: Icon } = looks[status] ?? { word: status, color: 'gray', icon: IconCircleDashed };
  return (
    <Badge
      variant="light"
      color={color}
      c={readable(color)}
      bg={opaque(color)}
      leftSection={<Icon size={12} aria-hidden />}
      tt="none"
      fw={600}
      {...props}
    >
      {word}
    </Badge>
  );
}

/** Mantine's green and orange have too little contrast for small text. */
const readable = (color: string) =>
  `light-dark(color-mix(in srgb, var(--mantine-color-${color}-9) 80%, black), var(--mantine-color-${color}-2))`;

/** Opaque, so that it also stands out on a selected row. */
const opaque = (color: string) =>
  `light-dark(var(--mantine-color-${color}-1), color-mix(in srgb, var(--mantine-color-${color}-9) 45%, black))`;

export const statusLabel = (status: string) => looks[status]?.word ?? status;
