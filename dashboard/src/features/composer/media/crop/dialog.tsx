import type { PlatformLimits } from '@crier/client';
import { Button, Group, Modal, ScrollArea, Slider, Text, VisuallyHidden } from '@mantine/core';
import { useMemo, useState } from 'react';
import Cropper from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { PlatformIcon } from '../../../../components/channels/platform-icon.tsx';
import { platformName } from '../../../../lib/platform-name.ts';
import classes from './dialog.module.css';
import { type Area, areaWith, type CropRatio, cropRatios } from './ratios.ts';

/** Crops an image. Shows it in each common ratio, with the selected networks that accept that. */
export default function CropDialog({
  url,
  name,
  ratios,
  onClose,
  onCropped,
}: {
  url: string;
  name: string;
  /** Of the selected channels. */
  ratios: readonly PlatformLimits[];
  onClose: () => void;
  onCropped: (file: File) => void;
}) {
  const offered = useMemo(() => cropRatios(ratios), [ratios]);
  const [ratio, setRatio] = useState(offered[0]!);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [size, setSize] = useState({ width: 1, height: 1 });
  const [isBusy, setBusy] = useState(false);
  const finish = async () => {
    if (!area) return;
    setBusy(true);
    onCropped(await cutOut(url, name, area));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Crop" size="lg" scrollAreaComponent={ScrollArea.Autosize}>
      <div className={classes.cropArea}>
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          aspect={ratio.value}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onMediaLoaded={({ naturalWidth: width, naturalHeight: height }) => setSize({ width, height })}
          onCropAreaChange={(_, pixels) => setArea(pixels)}
          onCropComplete={(_, pixels) => setArea(pixels)}
        />
      </div>
      <div role="radiogroup" aria-label="Ratio" className={classes.ratios}>
        {offered.map((one) => (
          <Ratio
            key={one.label}
            ratio={one}
            isChosen={one.label === ratio.label}
            onChoose={() => setRatio(one)}
            url={url}
            size={size}
            area={one.label === ratio.label && area ? area : areaWith(one.value, size, area)}
          />
        ))}
      </div>
      <Text size="sm" mt="md">
        Zoom
      </Text>
      <Slider thumbLabel="Zoom" min={1} max={4} step={0.05} label={null} value={zoom} onChange={setZoom} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isBusy} disabled={!area} onClick={() => void finish()}>
          Crop
        </Button>
      </Group>
    </Modal>
  );
}

/** The picture in a ratio, and the networks that accept that. */
function Ratio({
  ratio: { label, value, accepting, refusing },
  isChosen,
  onChoose,
  url,
  size,
  area,
}: {
  ratio: CropRatio;
  isChosen: boolean;
  onChoose: () => void;
  url: string;
  size: { width: number; height: number };
  area: Area;
}) {
  return (
    <label className={classes.ratio} data-chosen={isChosen || undefined}>
      <input type="radio" name="ratio" checked={isChosen} onChange={onChoose} className={classes.radio} />
      <span className={classes.stage}>
        <svg
          aria-hidden
          className={classes.sample}
          style={{ aspectRatio: value, [value > 1 ? 'width' : 'height']: '100%' }}
          viewBox={`${area.x} ${area.y} ${area.width} ${area.height}`}
          preserveAspectRatio="xMidYMid slice"
        >
          <image href={url} width={size.width} height={size.height} />
        </svg>
      </span>
      <span className={classes.label}>{label}</span>
      <span className={classes.networks}>
        {accepting.map((platform) => (
          <PlatformIcon key={platform} platform={platform} size={14} />
        ))}
        <VisuallyHidden>{accepting.map(platformName).join(', ')}</VisuallyHidden>
      </span>
      {refusing.length > 0 && <span className={classes.refused}>Not on {refusing.map(platformName).join(', ')}</span>}
    </label>
  );
}

async function cutOut(url: string, name: string, { x, y, width, height }: Area): Promise<File> {
  const picture = await createImageBitmap(await (await fetch(url)).blob());
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(picture, x, y, width, height, 0, 0, width, height);
  picture.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
  return new File([blob], `${name.replace(/\.\w+$/, '')}-cropped.jpg`, { type: 'image/jpeg' });
}
