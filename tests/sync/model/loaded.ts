/*
 * What the app loads when it first needs it, loaded beforehand: a module that comes from the disk
 * in the middle of a scenario would come at another moment in each run.
 */
import '#sync/lazy.ts'
