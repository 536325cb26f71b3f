const oldOffice = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/**
 * Detects PDF, Word and PowerPoint from the bytes. The old Office formats share one container and cannot be
 * distinguished.
 */
export function documentType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'application/pdf';
  if (bytes.subarray(0, oldOffice.length).equals(oldOffice)) return 'application/msword';
  if (bytes.toString('latin1', 0, 4) !== 'PK\x03\x04') return undefined;
  if (bytes.includes('word/')) return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  if (bytes.includes('ppt/')) return 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  return undefined;
}
