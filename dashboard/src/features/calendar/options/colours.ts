import { useLocalStorage } from '@mantine/hooks';
import type { Brand } from '../../../lib/brands/use-brands.ts';
import { networkColour } from '../../../lib/network-colours.ts';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';

/** What the edge of a tile shows. */
export const colourings = ['status', 'brand', 'network'] as const;
export type Colouring = (typeof colourings)[number];

const isColouring = (value: unknown): value is Colouring => colourings.some((one) => one === value);

/** On this device. */
export const useColouring = () =>
  useLocalStorage<Colouring>({
    key: 'crier-calendar-colours',
    defaultValue: 'status',
    getInitialValueInEffect: false,
    deserialize: (stored) => (isColouring(stored) ? stored : 'status'),
    serialize: (value) => value,
  });

/** The edge of a tile, from top to bottom. Null: the colour of its status. */
export function edgeOf(
  { platforms }: Pick<PostSummary, 'platforms'>,
  brand: Pick<Brand, 'colour'> | null,
  colouring: Colouring,
): string | null {
  if (colouring === 'status') return null;
  if (colouring === 'brand')
    return brand ? `var(--mantine-color-${brand.colour}-filled)` : 'var(--mantine-color-gray-6)';
  const colours = [...new Set(platforms.map(({ platform }) => networkColour(platform)))];
  if (colours.length === 0) return 'var(--mantine-color-gray-6)';
  if (colours.length === 1) return colours[0]!;
  const share = 100 / colours.length;
  return `linear-gradient(${colours.map((colour, index) => `${colour} ${index * share}% ${(index + 1) * share}%`).join(', ')})`;
}
