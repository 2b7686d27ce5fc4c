"""Count numbers with Spark."""

import argparse

from pyspark.sql import SparkSession

parser = argparse.ArgumentParser()
parser.add_argument("--numbers", type=int, default=10)
arguments = parser.parse_args()

spark = SparkSession.builder.appName("count").getOrCreate()
print(spark.range(arguments.numbers).count())
