/** The page's search parameters. */
export interface QueueSearch {
  channel?: string;
  /** The editor of the weekly slots is open. */
  slots?: 'edit';
}

export const readQueueSearch = ({ channel, slots }: Record<string, unknown>): QueueSearch => ({
  ...(typeof channel === 'string' && channel && { channel }),
  ...(slots === 'edit' && { slots }),
});
