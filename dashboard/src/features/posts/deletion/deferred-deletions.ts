import type { Deletable } from './undoable.ts';

/** A post whose request failed. */
export interface Failure {
  post: Deletable;
  error: unknown;
}

/** What a deletion asks of the service. Each resolves with the failures. */
export interface DeletionRequests {
  unschedule(posts: readonly Deletable[]): Promise<Failure[]>;
  schedule(posts: readonly Deletable[]): Promise<Failure[]>;
  remove(posts: readonly Deletable[]): Promise<Failure[]>;
}

/** What the person sees of it. */
export interface DeletionView {
  hide(posts: readonly Deletable[]): void;
  show(posts: readonly Deletable[]): void;
  /** Returns a function that closes the offer, which ends it. */
  offerUndo(posts: readonly Deletable[], on: { undo(): void; end(): void }): () => void;
  notDeleted(failures: readonly Failure[]): void;
  notScheduled(failures: readonly Failure[]): void;
}

interface Pending {
  posts: readonly Deletable[];
  isOver: boolean;
  close(): void;
}

/**
 * Deletes posts once they can't be brought back anymore: when the offer to undo ends, the page is left, or other posts are
 * deleted.
 *
 * No post may be published that the person believes deleted, even if that last request never arrives: the computer may be
 * suspended, the connection lost or the session over. So scheduled posts become drafts first, and only then are they reported as
 * deleted.
 */
export class DeferredDeletions {
  readonly #requests: DeletionRequests;
  readonly #view: DeletionView;
  #pending: Pending | null = null;

  constructor(requests: DeletionRequests, view: DeletionView) {
    this.#requests = requests;
    this.#view = view;
  }

  /** Returns the posts that couldn't be unscheduled. They are unchanged and shown again. */
  async start(posts: readonly Deletable[]): Promise<Failure[]> {
    void this.sendNow();
    const pending: Pending = { posts, isOver: false, close: () => {} };
    this.#pending = pending;
    this.#view.hide(posts);
    const refused = await this.#requests.unschedule(posts.filter(isScheduled));
    // Sent with the others meanwhile.
    if (pending.isOver) return [];
    pending.posts = posts.filter((post) => !refused.some((failure) => failure.post === post));
    if (refused.length > 0) this.#view.show(refused.map(({ post }) => post));
    if (pending.posts.length === 0) this.#pending = null;
    else {
      pending.close = this.#view.offerUndo(pending.posts, {
        undo: () => void this.#undo(pending),
        end: () => void this.#send(pending),
      });
    }
    return refused;
  }

  /** Sends the deletion that can still be undone, if any. */
  async sendNow() {
    if (this.#pending) await this.#send(this.#pending);
  }

  async #send(pending: Pending) {
    if (!this.#end(pending)) return;
    const failures = await this.#requests.remove(pending.posts);
    if (failures.length === 0) return;
    this.#view.show(failures.map(({ post }) => post));
    this.#view.notDeleted(failures);
  }

  async #undo(pending: Pending) {
    if (!this.#end(pending)) return;
    const failures = await this.#requests.schedule(pending.posts.filter(isScheduled));
    this.#view.show(pending.posts);
    if (failures.length > 0) this.#view.notScheduled(failures);
  }

  /** Returns false if it has ended before. */
  #end(pending: Pending): boolean {
    if (pending.isOver) return false;
    pending.isOver = true;
    if (this.#pending === pending) this.#pending = null;
    pending.close();
    return true;
  }
}

export const isScheduled = ({ status }: Deletable): boolean => status === 'scheduled';
