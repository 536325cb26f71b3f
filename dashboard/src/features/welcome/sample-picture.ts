const side = 1080;

/** A square picture that every network accepts, for those who have none at hand. */
export async function samplePicture(): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d')!;
  const sky = context.createLinearGradient(0, 0, side, side);
  sky.addColorStop(0, '#4267df');
  sky.addColorStop(1, '#8fb4ff');
  context.fillStyle = sky;
  context.fillRect(0, 0, side, side);
  context.fillStyle = '#ffffff';
  context.font = 'bold 200px sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText('Hello!', side / 2, side / 2);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/jpeg', 0.9);
  const blob = await promise;
  if (!blob) throw new Error('This browser can’t create the sample picture. Choose a picture instead.');
  return new File([blob], 'hello.jpg', { type: 'image/jpeg' });
}
