import { randomUUID } from 'node:crypto';

export interface FilePart {
  blob: Blob;
  /** Must not contain quotes or line breaks. */
  fileName: string;
  type: string;
}

/**
 * A multipart/form-data body that reads its files while it is sent. As a Blob, it has a known length, which some
 * servers require. Unlike `FormData`, it does not change line breaks in texts.
 */
export function multipart(parts: Readonly<Record<string, string | FilePart>>): Blob {
  const boundary = `form-${randomUUID()}`;
  const pieces = Object.entries(parts).flatMap(([name, part]) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    if (typeof part === 'string') return [`${head}\r\n\r\n${part}\r\n`];
    return [`${head}; filename="${part.fileName}"\r\ncontent-type: ${part.type}\r\n\r\n`, part.blob, '\r\n'];
  });
  return new Blob([...pieces, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}
