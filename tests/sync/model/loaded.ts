/*
 * Imports the app's lazy modules beforehand: a module read from the disk during a scenario would arrive
 * at another moment in each run.
 */
import '#store/lazy.ts'
