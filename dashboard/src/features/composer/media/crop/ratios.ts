import type { PlatformLimits } from '@crier/client';

export interface CropRatio {
  readonly label: string;
  readonly value: number;
  /** The networks that accept it, of those selected. */
  readonly accepting: readonly string[];
  readonly refusing: readonly string[];
}

const common = [
  { label: '1:1', value: 1 },
  { label: '4:5', value: 0.8 },
  { label: '9:16', value: 9 / 16 },
  { label: '16:9', value: 16 / 9 },
  { label: '1.91:1', value: 1.91 },
];

/** Common ratios: those that every selected network accepts come first. */
export function cropRatios(selected: readonly PlatformLimits[]): readonly CropRatio[] {
  const networks = [...new Map(selected.map((limits) => [limits.platform, limits])).values()];
  const ratios = common.map(({ label, value }) => {
    const accepts = ({ images: { aspectRatioRange: range } }: PlatformLimits) =>
      !range || (value >= range.min - 0.01 && value <= range.max + 0.01);
    const idsOf = (list: readonly PlatformLimits[]) => list.map(({ platform }) => platform);
    return {
      label,
      value,
      accepting: idsOf(networks.filter(accepts)),
      refusing: idsOf(networks.filter((one) => !accepts(one))),
    };
  });
  return ratios.toSorted((a, b) => Number(a.refusing.length > 0) - Number(b.refusing.length > 0));
}

/** Part of the picture, in its pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The largest part of the picture with this ratio, around the middle of what was chosen. */
export function areaWith(ratio: number, picture: { width: number; height: number }, chosen: Area | null): Area {
  const width = Math.min(picture.width, picture.height * ratio);
  const height = width / ratio;
  const middle = chosen
    ? { x: chosen.x + chosen.width / 2, y: chosen.y + chosen.height / 2 }
    : { x: picture.width / 2, y: picture.height / 2 };
  const within = (at: number, size: number, whole: number) => Math.min(Math.max(0, at - size / 2), whole - size);
  return { x: within(middle.x, width, picture.width), y: within(middle.y, height, picture.height), width, height };
}
