/** English abbreviations that end in a full stop, and the words that mark a new sentence after one. */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Written before a name or a number, so that the full stop never ends the sentence. Lower case. */
export const NEVER_FINAL: ReadonlySet<string> = words(`
  mr mrs ms mx dr prof gen maj capt cpt lt sgt cpl col cmdr adm brig rev fr hon messrs mme mlle supt insp det sen sens rep reps gov govs pres
  mt ft e.g i.e eg ie cf viz vs v fig figs eq eqs sec pp vol vols ca approx nos art arts op no`);

/** End a sentence only when a word that opens sentences follows. Lower case. */
export const SOMETIMES_FINAL: ReadonlySet<string> = words(`
  inc ltd co corp llc plc bros jr sr st ave blvd rd hwy dept univ assn est a.m p.m am pm ph.d m.d b.a m.a b.sc m.sc ll.b ll.m d.phil
  jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thur thurs fri sat sun al etc ed eds tel ext min max avg
  ala ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn miss mont neb nev okla ore pa tenn tex va vt wash wis wyo`);

/** Words that open sentences far more often than they follow an abbreviation inside one. Lower case. */
export const STARTERS: ReadonlySet<string> = words(`
  the a an it it's it’s he he's he’s she she's she’s they they're they’re we we're we’re i i'm i’m you you're you’re this that that's that’s these those
  in on at but and or so as if when while after before however there there's there’s here his her their its our my for from by with without what what's what’s
  who why how where which meanwhile also since although though yet not yes to some many most all another each every both according despite during still
  then now is are was were do does did has have can could would should will let until unless because once only just even perhaps
  moreover furthermore nevertheless instead additionally overall finally next under over among between through across earlier later today yesterday`);
