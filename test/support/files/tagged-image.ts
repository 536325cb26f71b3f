import sharp from 'sharp';

const exif = {
  IFD0: { Artist: 'Ada Lovelace', Make: 'Analytical Engines' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' },
};
const xmp =
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta><?xpacket end="w"?>';

export interface TaggedImage {
  width?: number;
  height?: number;
  format?: 'jpeg' | 'png' | 'webp';
  orientation?: number;
  frames?: number;
  progressive?: boolean;
  /** Noise, which is hard to compress, instead of one colour. */
  noise?: boolean;
  quality?: number;
}

/** An image like one from a phone: with a location, a name and a wide colour space, and rotated on request. */
export async function aTaggedImage(options: TaggedImage = {}): Promise<Buffer> {
  const { width = 300, height = 200, format = 'jpeg', orientation = 1, frames = 1, quality = 90 } = options;
  const background = { r: 255, g: 40, b: 0 };
  const noise = options.noise ? { noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } } : {};
  const stills = Array.from({ length: frames }, () => ({
    create: { width, height, channels: 3 as const, background, ...noise },
  }));
  const [still] = stills;
  const pages = await Promise.all(
    stills.map((each, page) =>
      sharp(each)
        .tint({ r: 60 * page, g: 200, b: 90 })
        .png()
        .toBuffer(),
    ),
  );
  const image = frames > 1 ? sharp(pages, { join: { animated: true } }) : sharp(still);
  return await image
    .withIccProfile('p3')
    .withExif(exif)
    .withXmp(xmp)
    .withMetadata({ orientation })
    .toFormat(format, { quality, ...(format === 'jpeg' && { progressive: options.progressive ?? false }) })
    .toBuffer();
}

/** The metadata of a file. */
export async function tagsOf(bytes: Uint8Array) {
  const { exif, xmp, iptc, icc, orientation, comments, pages } = await sharp(bytes).metadata();
  return { exif, xmp, iptc, orientation, comments, hasProfile: icc !== undefined, pages };
}

export const pixelsOf = (bytes: Uint8Array) => sharp(bytes, { animated: true }).keepIccProfile().raw().toBuffer();
