/** What is told of a summary where the whole history was asked for. */
export const SUMMARY_LEFT_OUT = 'The summary of a compaction was left out: the messages that it stands for are read.'
