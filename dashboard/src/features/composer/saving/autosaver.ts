import { canBePost, type Draft, hasFileChanges, isBlank, withoutFileChanges } from '../draft.ts';

/** Where the draft is stored. */
export type Place =
  | { kind: 'nowhere' }
  | { kind: 'draft'; draftId: string; version: number }
  /** `isBehind`: its files were changed, or the post elsewhere, so its version has to be read before the next write. */
  | { kind: 'post'; postGroupId: string; version: number; isScheduled: boolean; isBehind?: boolean };

export type SaveState =
  | { kind: 'idle' }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: Date }
  /** A scheduled post only changes when the user submits it. */
  | { kind: 'unconfirmed' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'conflict'; theirs: Draft; place: Place };

/** The autosaver's side effects. Writes throw `Conflict` if another tab or person saved first. */
export interface SaveEffects {
  createPost(draft: Draft): Promise<Place & { kind: 'post' }>;
  /** `stored` is the version that the draft is based on. */
  updatePost(place: Place & { kind: 'post' }, draft: Draft, stored: Draft): Promise<Place>;
  saveDraft(place: Place & { kind: 'draft' }, draft: Draft): Promise<Place>;
  /** Makes the files of the post those of the draft. A scheduled post becomes a draft. */
  storeFiles(place: Place & { kind: 'post' }, draft: Draft, stored: Draft): Promise<Place>;
  newDraftId(): string;
  onPlace(place: Place): void;
  keep(draft: Draft): void;
  forget(): void;
}

export const isScheduled = (place: Place): boolean => place.kind === 'post' && place.isScheduled;

export class Conflict extends Error {
  readonly theirs: Draft;
  readonly place: Place;
  constructor(theirs: Draft, place: Place) {
    super('This draft was changed elsewhere.');
    this.theirs = theirs;
    this.place = place;
  }
}

/** The delay after the last change. */
const autosaveDelayMs = 1000;

/** Saves the draft after a pause, one write at a time, and reports its state. */
export class Autosaver {
  readonly #effects: SaveEffects;
  readonly #listeners = new Set<() => void>();
  #place: Place;
  #state: SaveState = { kind: 'idle' };
  #draft: Draft;
  #stored: Draft;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(effects: SaveEffects, place: Place, stored: Draft) {
    this.#effects = effects;
    this.#place = place;
    this.#draft = stored;
    this.#stored = stored;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly state = () => this.#state;
  get place() {
    return this.#place;
  }
  get draft() {
    return this.#draft;
  }
  /** The latest version known to be on the server. */
  get stored() {
    return this.#stored;
  }
  get hasUnsaved() {
    return this.#draft !== this.#stored && !(this.#place.kind === 'nowhere' && isBlank(this.#draft));
  }

  /** Called with each new draft. */
  change(draft: Draft) {
    if (draft === this.#draft) return;
    this.#draft = draft;
    clearTimeout(this.#timer);
    if (this.#state.kind === 'conflict') return;
    if (this.hasUnsaved) this.#effects.keep(draft);
    else this.#effects.forget();
    // A write in progress reports the state when it ends.
    if (this.hasUnsaved) this.#pend();
    else if (this.#state.kind !== 'saving') this.#become({ kind: 'idle' });
  }

  /** What is unsaved is written after a pause, or, on a scheduled post, when the user says so. */
  #pend() {
    const isUnconfirmed = isScheduled(this.#place);
    this.#become({ kind: isUnconfirmed ? 'unconfirmed' : 'unsaved' });
    if (!isUnconfirmed) this.#timer = setTimeout(() => void this.flush(), autosaveDelayMs);
  }

  /** Saves pending changes. Returns whether everything is saved. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    return this.#inTurn(async () => {
      if (!this.hasUnsaved) return true;
      if (this.#state.kind === 'conflict') return false;
      return this.#save(this.#draft);
    });
  }

  /** The ID of the post on the server, which is created if the draft is valid. */
  async ensurePost(): Promise<string | null> {
    if (this.#place.kind !== 'post' && canBePost(this.#draft)) await this.flush();
    return this.#place.kind === 'post' ? this.#place.postGroupId : null;
  }

  /** Writes the whole draft, such as for scheduling, after any write in progress. */
  submit(
    write: (place: Place & { kind: 'post' }, drafts: { draft: Draft; stored: Draft }) => Promise<Place>,
  ): Promise<void> {
    clearTimeout(this.#timer);
    return this.#inTurn(async () => {
      const draft = this.#draft;
      try {
        if (this.#place.kind !== 'post') {
          this.#move(await this.#effects.createPost(draft));
          this.#keepFiles(draft);
        }
        await this.#storeFiles(draft);
        if (this.#place.kind === 'post') this.#move(await write(this.#place, { draft, stored: this.#stored }));
        this.#done(draft);
      } catch (error) {
        this.#refused(error);
        throw error;
      }
    });
  }

  /** Resolves a conflict: `mine` overwrites theirs, `theirs` discards mine. */
  resolve(choice: 'mine' | 'theirs') {
    const state = this.#state;
    if (state.kind !== 'conflict') return;
    this.#place = state.place;
    if (choice === 'theirs') {
      this.#draft = state.theirs;
      this.#done(state.theirs);
      return;
    }
    this.#stored = state.theirs;
    this.#become({ kind: 'unsaved' });
    void this.flush();
  }

  /** Changes the status of the post, but not its content, after any write in progress. */
  changeStatus(write: (place: Place & { kind: 'post' }) => Promise<Place>): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#place.kind !== 'post') return;
      const place = await write(this.#place);
      this.#follow(place);
    });
  }

  /** Changes the files of the post after any write in progress. That changes its version, too. */
  changeFiles<T>(write: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      try {
        return await write();
      } finally {
        // Even a write that failed may have arrived.
        if (this.#place.kind === 'post') this.#place = { ...this.#place, isBehind: true };
      }
    });
  }

  /** Reads the post's status after any write in progress. Returns whether that is news, and not its result. */
  followStatus(read: () => Promise<string>): Promise<boolean> {
    return this.#inTurn(async () => {
      const status = await read();
      // By now, it may be out.
      if (status !== 'draft' && status !== 'scheduled') return false;
      const isNowScheduled = status === 'scheduled';
      if (this.#place.kind !== 'post' || this.#place.isScheduled === isNowScheduled) return false;
      this.#follow({ ...this.#place, isScheduled: isNowScheduled, isBehind: true });
      return true;
    });
  }

  /** Once all is saved, the files are those of the post. Returns the draft without them, or null if it isn't saved. */
  settle(): Promise<Draft | null> {
    return this.#inTurn(async () => {
      if (this.hasUnsaved || this.#place.kind !== 'post' || !hasFileChanges(this.#draft)) return null;
      this.#draft = withoutFileChanges(this.#draft);
      this.#stored = this.#draft;
      return this.#draft;
    });
  }

  #follow(place: Place) {
    this.#place = place;
    clearTimeout(this.#timer);
    if (this.hasUnsaved) this.#pend();
    else this.#become({ kind: 'saved', at: new Date() });
  }

  stop() {
    clearTimeout(this.#timer);
  }

  async #save(draft: Draft): Promise<boolean> {
    this.#become({ kind: 'saving' });
    try {
      this.#move(await this.#write(draft));
      if (hasFileChanges(draft) && this.#place.kind === 'post') {
        this.#keepFiles(draft);
        // That would turn it into a draft.
        if (isScheduled(this.#place)) {
          this.#pend();
          return false;
        }
        await this.#storeFiles(draft);
      }
      this.#done(draft);
      return true;
    } catch (error) {
      this.#refused(error);
      return false;
    }
  }

  #write(draft: Draft): Promise<Place> {
    const place = this.#place;
    if (place.kind === 'post') return this.#effects.updatePost(place, draft, this.#stored);
    if (canBePost(draft)) return this.#effects.createPost(draft);
    const at =
      place.kind === 'draft' ? place : { kind: 'draft' as const, draftId: this.#effects.newDraftId(), version: 0 };
    return this.#effects.saveDraft(at, draft);
  }

  /** All but the files is stored. */
  #keepFiles(draft: Draft) {
    this.#stored = withoutFileChanges(draft);
    if (this.#stored !== draft) this.#effects.keep(draft);
  }

  async #storeFiles(draft: Draft) {
    if (!hasFileChanges(draft) || this.#place.kind !== 'post') return;
    this.#place = await this.#effects.storeFiles(this.#place, draft, this.#stored);
  }

  #move(place: Place) {
    const isNew = place.kind !== this.#place.kind;
    this.#place = place;
    if (isNew) this.#effects.onPlace(place);
  }

  #done(draft: Draft) {
    this.#stored = draft;
    if (this.hasUnsaved) {
      this.#become({ kind: 'unsaved' });
      this.#timer = setTimeout(() => void this.flush(), autosaveDelayMs);
      return;
    }
    this.#effects.forget();
    this.#become({ kind: 'saved', at: new Date() });
  }

  #refused(error: unknown) {
    const isConflict = error instanceof Conflict;
    this.#become(
      isConflict ? { kind: 'conflict', theirs: error.theirs, place: error.place } : { kind: 'failed', error },
    );
  }

  #become(state: SaveState) {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(work, work);
    this.#running = turn.catch(() => undefined);
    return turn;
  }
}
