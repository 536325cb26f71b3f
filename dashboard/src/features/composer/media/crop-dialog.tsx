import type { PlatformLimits } from '@crier/client';
import { Button, Group, Modal, SegmentedControl, Slider, Text } from '@mantine/core';
import { useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import classes from './media.module.css';

const common = [
  { label: '1:1', value: 1 },
  { label: '4:5', value: 0.8 },
  { label: '16:9', value: 16 / 9 },
  { label: '1.91:1', value: 1.91 },
];

/** Crops an image to a ratio that the selected networks accept. */
export default function CropDialog({
  url,
  name,
  ratios,
  onClose,
  onCropped,
}: {
  url: string;
  name: string;
  ratios: readonly PlatformLimits[];
  onClose: () => void;
  onCropped: (file: File) => void;
}) {
  const ranges = ratios.flatMap(({ images }) => images.aspectRatioRange ?? []);
  const offered = common.filter(({ value }) =>
    ranges.every(({ min, max }) => value >= min - 0.01 && value <= max + 0.01),
  );
  const [ratio, setRatio] = useState(String(offered[0]?.value ?? 1));
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [isBusy, setBusy] = useState(false);
  const finish = async () => {
    if (!area) return;
    setBusy(true);
    onCropped(await cutOut(url, name, area));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Crop" size="lg">
      <div className={classes.cropArea}>
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          aspect={Number(ratio)}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
        />
      </div>
      <SegmentedControl
        mt="md"
        fullWidth
        aria-label="Ratio"
        data={offered.map(({ label, value }) => ({ label, value: String(value) }))}
        value={ratio}
        onChange={setRatio}
      />
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

async function cutOut(url: string, name: string, { x, y, width, height }: Area): Promise<File> {
  const picture = await createImageBitmap(await (await fetch(url)).blob());
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(picture, x, y, width, height, 0, 0, width, height);
  picture.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
  return new File([blob], `${name.replace(/\.\w+$/, '')}-cropped.jpg`, { type: 'image/jpeg' });
}
