import type { OwnFiles } from './media/own/own-files.ts';
import type { StagedFiles } from './media/staged-files.ts';

/** What the user is writing. */
export interface Draft {
  readonly text: string;
  /** Connection ids, in the order in which they were chosen. */
  readonly channels: readonly string[];
  /** Texts of individual channels. A deselected channel keeps its text until the page is closed. */
  readonly overrides: Readonly<Record<string, string>>;
  /** By platform. Only values that differ from the defaults. */
  readonly settings: Readonly<Record<string, Settings>>;
  readonly comments: readonly Comment[];
  readonly labels: readonly string[];
  /** As typed: an ISO date or a phrase. */
  readonly date: string;
  readonly time: string;
  /** Changes to the files that aren't on the server yet. Null: the files are those of the post. */
  readonly files: StagedFiles | null;
  /** The same for channels with separate files. A channel that isn't listed has what it has in the post. */
  readonly ownFiles: OwnFiles;
}

export type Settings = Readonly<Record<string, unknown>>;

export interface Comment {
  readonly text: string;
  readonly delaySeconds: number;
  /** Platforms. Empty: all that support comments. */
  readonly platforms: readonly string[];
}

export const emptyDraft: Draft = {
  text: '',
  channels: [],
  overrides: {},
  settings: {},
  comments: [],
  labels: [],
  date: '',
  time: '',
  files: null,
  ownFiles: {},
};

export type DraftAction =
  | { type: 'text'; text: string }
  | { type: 'channel'; id: string; chosen: boolean }
  | { type: 'channels'; ids: readonly string[] }
  | { type: 'override'; id: string; text: string }
  /** Gives the channel its own text, initially the shared one. */
  | { type: 'own'; id: string }
  | { type: 'shared'; id: string }
  | { type: 'setting'; platform: string; name: string; value: unknown }
  | { type: 'comments'; comments: readonly Comment[] }
  | { type: 'labels'; labels: readonly string[] }
  | { type: 'when'; date?: string; time?: string }
  | { type: 'files'; change: (files: StagedFiles | null) => StagedFiles }
  | { type: 'ownFiles'; id: string; change: (files: StagedFiles | null | undefined) => StagedFiles | null }
  | { type: 'load'; draft: Draft }
  /** The draft, whose files are on the server now. */
  | { type: 'filesStored'; draft: Draft }
  /** The same, but it can be undone. */
  | { type: 'reset'; draft: Draft }
  /** Files were changed, see `media/use-media-edits.ts`. */
  | { type: 'media'; edit: MediaEdit }
  | { type: 'undo' }
  | { type: 'redo' };

interface Snapshot {
  readonly draft: Draft;
  /** File changes in effect. The files themselves are on the server. */
  readonly mediaEdits: readonly MediaEdit[];
}

/** A change to the files. */
export interface MediaEdit {
  undo(): void;
  redo(): void;
}

interface History extends Snapshot {
  readonly past: readonly Snapshot[];
  readonly future: readonly Snapshot[];
  /** Changes of the same field in quick succession are undone together. */
  readonly lastChange: { readonly field: string; readonly at: number } | null;
}

export const historyOf = (draft: Draft): History => ({ draft, mediaEdits: [], past: [], future: [], lastChange: null });

const maxSteps = 200;
const togetherMs = 800;

/** The composer's reducer. `at` is the time of the change. */
export function reduceHistory(history: History, { at, ...action }: DraftAction & { at: number }): History {
  const { draft, mediaEdits, past, future } = history;
  const now: Snapshot = { draft, mediaEdits };
  switch (action.type) {
    case 'load':
      return { ...historyOf(action.draft), mediaEdits };
    case 'filesStored':
      return {
        ...history,
        draft: action.draft,
        past: withoutFiles(past, action.draft),
        future: withoutFiles(future, action.draft),
      };
    case 'media':
      return {
        ...history,
        mediaEdits: [...mediaEdits, action.edit],
        past: [...past, now].slice(-maxSteps),
        future: [],
        lastChange: null,
      };
    case 'undo': {
      const before = past.at(-1);
      if (!before) return history;
      return { ...before, past: past.slice(0, -1), future: [now, ...future], lastChange: null };
    }
    case 'redo': {
      const [after, ...later] = future;
      if (!after) return history;
      return { ...after, past: [...past, now], future: later, lastChange: null };
    }
    default: {
      const next = changeDraft(draft, action);
      if (next === draft) return history;
      const field = fieldOf(action);
      const { lastChange } = history;
      const joins = field !== null && lastChange?.field === field && at - lastChange.at < togetherMs;
      return {
        draft: next,
        mediaEdits,
        past: joins ? past : [...past, now].slice(-maxSteps),
        future: [],
        lastChange: field === null ? null : { field, at },
      };
    }
  }
}

/** Steps that only changed files are over. */
const withoutFiles = (steps: readonly Snapshot[], draft: Draft): readonly Snapshot[] =>
  steps
    .map((step) => ({ ...step, draft: { ...step.draft, files: null, ownFiles: draft.ownFiles } }))
    .filter((step) => !isSame(step.draft, draft) || step.mediaEdits.length > 0);

const isSame = (a: Draft, b: Draft) => (Object.keys(b) as (keyof Draft)[]).every((name) => a[name] === b[name]);

type Change = Exclude<DraftAction, { type: 'load' | 'media' | 'undo' | 'redo' | 'filesStored' }>;

function changeDraft(draft: Draft, action: Change): Draft {
  switch (action.type) {
    case 'text':
      return action.text === draft.text ? draft : { ...draft, text: action.text };
    case 'channel': {
      if (draft.channels.includes(action.id) === action.chosen) return draft;
      const others = draft.channels.filter((id) => id !== action.id);
      return { ...draft, channels: action.chosen ? [...others, action.id] : others };
    }
    case 'channels':
      return { ...draft, channels: action.ids };
    case 'override':
      return { ...draft, overrides: { ...draft.overrides, [action.id]: action.text } };
    case 'own':
      return { ...draft, overrides: { ...draft.overrides, [action.id]: draft.text } };
    case 'shared': {
      const { [action.id]: _, ...overrides } = draft.overrides;
      return { ...draft, overrides };
    }
    case 'setting': {
      const own = { ...draft.settings[action.platform], [action.name]: action.value };
      return { ...draft, settings: { ...draft.settings, [action.platform]: own } };
    }
    case 'comments':
      return { ...draft, comments: action.comments };
    case 'labels':
      return { ...draft, labels: action.labels };
    case 'files':
      return { ...draft, files: action.change(draft.files) };
    case 'ownFiles':
      return { ...draft, ownFiles: { ...draft.ownFiles, [action.id]: action.change(draft.ownFiles[action.id]) } };
    case 'reset':
      return action.draft;
    case 'when': {
      const { date = draft.date, time = draft.time } = action;
      return date === draft.date && time === draft.time ? draft : { ...draft, date, time };
    }
  }
}

/** Null: each change is undone separately. */
function fieldOf(action: Change): string | null {
  switch (action.type) {
    case 'channel':
    case 'channels':
    case 'own':
    case 'shared':
    case 'labels':
    case 'files':
    case 'ownFiles':
    case 'reset':
      return null;
    case 'override':
      return `override ${action.id}`;
    case 'setting':
      return `setting ${action.platform} ${action.name}`;
    default:
      return action.type;
  }
}

/** The draft limited to some of its channels. */
export function draftFor(channels: readonly string[], draft: Draft): Draft {
  const platforms = new Set(channels.map((channel) => channel.slice(0, channel.indexOf('-'))));
  const comments = draft.comments
    .map((comment) => ({ ...comment, platforms: comment.platforms.filter((platform) => platforms.has(platform)) }))
    .filter((comment, index) => comment.platforms.length > 0 || draft.comments[index]!.platforms.length === 0);
  return { ...draft, channels: draft.channels.filter((channel) => channels.includes(channel)), comments };
}

/** The text that goes to a channel. */
export const textFor = ({ text, overrides }: Draft, channel: string) => overrides[channel] ?? text;

/** Whether the files of the post will change. Deselected channels keep their changes until the page is closed. */
export const hasFileChanges = ({ channels, files, ownFiles }: Pick<Draft, 'channels' | 'files' | 'ownFiles'>) =>
  files !== null || channels.some((channel) => channel in ownFiles);

/** The draft once its files are those of the post. */
export const withoutFileChanges = (draft: Draft): Draft =>
  hasFileChanges(draft)
    ? {
        ...draft,
        files: null,
        ownFiles: Object.fromEntries(Object.entries(draft.ownFiles).filter(([id]) => !draft.channels.includes(id))),
      }
    : draft;

/** Whether there is nothing worth saving. Selected channels alone don't count. */
export const isBlank = ({ text, overrides, comments, labels, settings, files, ownFiles }: Draft) =>
  text === '' &&
  files === null &&
  Object.values(ownFiles).every((own) => own === null) &&
  comments.length === 0 &&
  labels.length === 0 &&
  Object.keys(overrides).length === 0 &&
  Object.keys(settings).length === 0;

/** Whether `create-post` would accept it as a draft. */
export const canBePost = ({ text, channels }: Draft) => channels.length > 0 && text.trim() !== '';
