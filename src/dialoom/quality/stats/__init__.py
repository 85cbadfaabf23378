"""Statistics of a corpus: one pass over its dialogues, bounded memory, results as JSON values.

    statistics = Statistics(format.event_name, corpus.schemas, published_format(corpus))
    statistics.add_all(corpus.dialogues()).result()

counts          dialogues, events, outcomes, labels, queries
overview        the corpus as a column of table 1
distributions   acts, slots, services, domains, intents, and how uneven they are
order           whether questions come in the schema's order (STAR, table 8)
actions         actions per dialogue, tasks that meet (STAR, figures 6 and 7)
slices          generation items by number and type of acts (GEM's card)
frames          frames and their changes (the Frames page)
people          participants, ratings, questionnaires
replies         replies picked and in the wizard's own words, by stage
vocabulary      words of users, without names, without what occurs once (STAR, section 4)
spans           spans, labels, required arguments missing (Taskmaster-1)
published       what others published, with its source
tables          results as tables, for a terminal and a page
report          results as a page with plots
"""

from dialoom.quality.stats.counts import Statistics

__all__ = ["Statistics"]
