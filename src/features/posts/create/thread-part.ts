/** One post of a thread, as it is stored with its target and shown by get-post. */
export interface ThreadPart {
  index: number;
  content: string;
  status: 'pending' | 'published' | 'failed';
  publishedId: string | null;
}
